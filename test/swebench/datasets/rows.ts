/** Rows in the shapes of the published datasets. Whatever must not reach a selection holds the word GOLD. */

const TEST_PATCH = [
  'diff --git a/tests/model_checks/test_relations.py b/tests/model_checks/test_relations.py',
  '--- a/tests/model_checks/test_relations.py',
  '+++ b/tests/model_checks/test_relations.py',
  '@@ -1 +1,2 @@',
  ' import GOLD\r',
  '+assert GOLD\r',
  '',
].join('\n');

const COMMON = {
  repo: 'acme/slug',
  base_commit: 'd16bfe05a744909de4b27f5875fe0d4ed41ce607',
  problem_statement: 'The parent link is not found.\r\nIt should be.',
  patch: 'diff --git a/GOLD.py b/GOLD.py\n@@ -1 +1 @@\n-a\r\n+b\r\n',
  test_patch: TEST_PATCH,
  created_at: '2024-01-02T03:04:05Z',
};

/** SWE-bench, Lite and Verified as harness version 4 reads them. */
export const verifiedRow = (number: number): Record<string, unknown> => ({
  ...COMMON,
  instance_id: `acme__slug-${number}`,
  version: '4.3',
  environment_setup_commit: '298ccb478e6bf092953bca67a3d29dc6c35f6752',
  hints_text: 'GOLD hint: look at line 3',
  FAIL_TO_PASS: '["tests/model_checks/test_relations.py::GOLD_a", "GOLD b (x[\\"y\\"])"]',
  PASS_TO_PASS: ['GOLD_c'],
  difficulty: 'GOLD: <15 min fix',
});

/** A row of harness version 5, which carries its own script. */
export const v5Row: Record<string, unknown> = {
  ...verifiedRow(5),
  image: 'swebench/sweb.eval.x86_64.acme_1776_slug-5:latest',
  log_parser: 'parse_log_django',
  eval_type: 'pass_and_fail',
  eval_script: [
    '#!/bin/bash',
    "git apply -v - <<'EOF_114329324912'",
    TEST_PATCH,
    'EOF_114329324912',
    ": '>>>>> Start Test Output'",
    './tests/runtests.py --verbosity 2 --parallel 1 model_checks.test_relations',
    'pytest -rA tests/model_checks/test_relations.py tests/model_checks/test_relations.py::GOLD_a',
    'pytest --only=tests/model_checks/test_relations.py',
    ": '>>>>> End Test Output'",
    'git checkout GOLD tests/model_checks/test_relations.py',
  ].join('\n'),
};

/** SWE-bench Pro: lower-case names, lists as Python prints them, the fix in set-up and tag. */
export const proRow: Record<string, unknown> = {
  ...COMMON,
  instance_id: 'instance_acme__slug-04998908ba6721d64eba79ae3b65a351dcfbc5b5-vnan',
  requirements: '- The link must be found.',
  interface: 'No new interfaces are introduced.',
  repo_language: 'go',
  fail_to_pass: "['TestGOLD', \"Test/GOLD's\"]",
  pass_to_pass: '[]',
  issue_specificity: "['GOLD']",
  before_repo_set_cmd: 'git checkout GOLD -- tests/test_a.go',
  selected_test_files_to_run: "['GOLD_test.go']",
  dockerhub_tag: 'acme.slug-acme__slug-04998908',
};

/** SWE-bench Live. */
export const liveRow: Record<string, unknown> = {
  ...COMMON,
  instance_id: 'acme__slug-77',
  pull_number: '77',
  issue_numbers: ['70'],
  all_hints_text: 'GOLD hint',
  hints_text: '',
  commit_url: 'https://example.org/commit/GOLD',
  commit_urls: ['https://example.org/commit/GOLD'],
  test_cmds: ['pytest -rA', 'pytest -rA tests/model_checks/test_relations.py'],
  log_parser: 'pytest',
  difficulty: { files: 1, hunks: 'GOLD' },
  FAIL_TO_PASS: ['GOLD_a'],
  PASS_TO_PASS: ['GOLD_b'],
  a_field_of_the_future: 'GOLD',
};
