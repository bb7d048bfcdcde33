/** Gives up root, whom no mode of a folder stops; for a process of its own. */
export function becomePlainUser(): void {
  if (process.getuid?.() !== 0) return;
  const nobody = 65534;
  process.setgroups?.([]);
  process.setgid?.(nobody);
  process.setuid?.(nobody);
}
