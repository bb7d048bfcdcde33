// `node --import ./test/support/ts-source.mjs file.ts` runs a source file as it is: node strips the types, and this
// finds the `.ts` file behind an import that ends in `.js`.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, nextResolve) {
    try {
      return nextResolve(specifier, context);
    } catch (error) {
      if (!/^\.{1,2}\/.*\.js$/.test(specifier)) throw error;
      return nextResolve(specifier.replace(/\.js$/, '.ts'), context);
    }
  },
});
