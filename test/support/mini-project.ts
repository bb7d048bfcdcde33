import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';

/** A small Python project with an issue and candidate patches, on disk. */
export interface MiniProject {
  readonly repoDir: string;
  readonly issueFile: string;
  /** Patch files by agent, in the order that defines the candidates. */
  readonly patches: Readonly<Record<string, string>>;
}

const SLUGS = `"""Readable parts of addresses."""
import re


def slugify(text, max_length=None):
    """Lower-case words joined by hyphens, at most max_length characters."""
    slug = "-".join(re.findall(r"[a-z0-9]+", text.lower()))
    if max_length is not None:
        slug = slug[:max_length]
    return slug
`;

const TEST_SLUGS = `import pytest

from slugs import slugify


class TestSlugify:
    def test_words(self):
        assert slugify("Hello, World") == "hello-world"

    @pytest.mark.parametrize("text", ["", "  ", "!?"])
    def test_nothing(self, text):
        assert slugify(text) == ""


def test_max_length():
    assert slugify("hello world", max_length=5) == "hello"
`;

const TEST_OTHER = `import slugs


def test_module_has_a_docstring():
    assert slugs.__doc__
`;

/** The issue of the mini project. */
const MINI_ISSUE = `# slugify cuts words in half

\`slugify("hello world", max_length=8)\` gives \`hello-wo\`. A slug should never end in the middle of a word: whole words
are dropped from the end until it fits. A single word that is longer than max_length is cut, as there is nothing else
to do. A max_length of 0 gives an empty slug.
`;

const body = (lines: string): string => SLUGS.replace('        slug = slug[:max_length]\n', lines);

/** Replacement of the line that cuts, by agent. `right` and `also-right` do all that the issue says. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  right: body(`        words = slug.split("-")
        while len(words) > 1 and len("-".join(words)) > max_length:
            words.pop()
        slug = "-".join(words)[:max_length]
`),
  'example-only': body(`        if len(slug) > max_length and slug[max_length] != "-":
            slug = slug[:max_length].rpartition("-")[0]
        else:
            slug = slug[:max_length]
`),
  'also-right': body(`        cut = slug[:max_length]
        if len(slug) > max_length and slug[max_length] != "-" and "-" in cut:
            cut = cut[: cut.rindex("-")]
        slug = cut.rstrip("-")
`),
};

/**
 * Makes the project below `dir`: a repository with one commit, an issue file and patch files.
 *
 * `files` are added to the commit, by path.
 */
export async function makeMiniProject({
  dir,
  files = {},
}: {
  dir: string;
  files?: Readonly<Record<string, string>>;
}): Promise<MiniProject> {
  const repoDir = join(dir, 'project');
  const put = async (path: string, text: string): Promise<string> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  await put(join(repoDir, 'slugs.py'), SLUGS);
  await put(join(repoDir, 'tests', 'test_slugs.py'), TEST_SLUGS);
  await put(join(repoDir, 'tests', 'test_other.py'), TEST_OTHER);
  for (const [path, text] of Object.entries(files)) await put(join(repoDir, path), text);
  const git = (...args: string[]) =>
    execa('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: repoDir });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'base');
  const patches: Record<string, string> = {};
  for (const [agent, text] of Object.entries(ATTEMPTS)) {
    await writeFile(join(repoDir, 'slugs.py'), text);
    const { stdout } = await git('diff');
    patches[agent] = await put(join(dir, 'patches', `${agent}.diff`), `${stdout}\n`);
    await git('checkout', '--quiet', '--', '.');
  }
  return { repoDir, issueFile: await put(join(dir, 'issue.md'), MINI_ISSUE), patches };
}

/** Test files that take a second each, as `files` of {@link makeMiniProject}. */
export function slowTests(count: number): Record<string, string> {
  const text =
    'import time\n\nfrom slugs import slugify\n\n\ndef test_slowly():\n    time.sleep(1)\n    assert slugify("A b") == "a-b"\n';
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`tests/test_slow_${index + 1}.py`, text]));
}
