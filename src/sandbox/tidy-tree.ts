import { execa } from 'execa';

/**
 * Makes a tree one that can be copied, whatever a program left in it: everything may be read and written by its owner,
 * and nothing is in it but files, folders and links. No link is followed. What is not ours to change stays.
 */
export async function tidyTree({ dir }: { dir: string }): Promise<void> {
  await execa('chmod', ['-R', 'u+rwX', '--', dir], { reject: false, stdin: 'ignore' });
  const others = ['!', '-type', 'f', '!', '-type', 'd', '!', '-type', 'l'];
  await execa('find', [dir, ...others, '-delete'], { reject: false, stdin: 'ignore' });
}
