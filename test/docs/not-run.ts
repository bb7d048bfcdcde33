/** Commands of a page that no test can run, each as one line, and why. That they are ones that there are is checked. */
export interface NotRun {
  readonly page: string;
  readonly why: string;
  readonly commands: readonly string[];
}

/** The whole list; a test fails for an entry that its page does not have any more. */
export const NOT_RUN: readonly NotRun[] = [
  {
    page: 'README.md',
    why: 'Fetches a package from the index; installs and runs all tests.',
    commands: ['npm run demo', 'npm test'],
  },
  {
    page: 'README.md',
    why: 'Needs a key and a repository of the reader. The tutorial runs the same verb.',
    commands: [
      'export OPENAI_API_KEY=…',
      'npm run --silent testgrad -- select --repo ~/shop --issue issue.md --patch claude=claude.diff --patch codex=codex.diff --branch human=fix/1234 --model NAME',
    ],
  },
  {
    page: 'README.md',
    why: 'Fetches a dataset; the second and third need Docker, a key or predictions of the reader.',
    commands: [
      'testgrad bench --dataset verified --preds claude=claude.jsonl --preds codex=all_preds.jsonl --model NAME --dry-run',
      'testgrad bench --dataset rows.jsonl --preds … --methods testgrad,augment,agentless,trae --local-repos repos.yaml …',
      'testgrad evaluate --dataset verified --predictions preds.jsonl -w 8',
    ],
  },
  {
    page: 'README.md',
    why: 'Needs a Temporal server elsewhere, and runs until it is stopped.',
    commands: ['TEMPORAL_ADDRESS=temporal.example.org:7233 OPENAI_API_KEY=… testgrad worker'],
  },
  {
    page: 'docs/tutorial.md',
    why: 'Installs and builds the checkout, which the tests have done; the session has `testgrad` as a program.',
    commands: [
      'npm run --silent testgrad -- --version',
      'export TESTGRAD=$PWD',
      'testgrad() { "$TESTGRAD/node_modules/.bin/node" "$TESTGRAD/dist/cli/main.js" "$@"; }',
    ],
  },
  {
    page: 'docs/tutorial.md',
    why: 'Needs a key and a repository of the reader.',
    commands: [
      'unset TESTGRAD_REPLAY',
      'export OPENAI_API_KEY=… TESTGRAD_MODEL=NAME',
      'testgrad doctor --repo ~/shop',
      'testgrad select --repo ~/shop --issue issue.md --branch claude=fix/claude --branch codex=fix/codex',
    ],
  },
  {
    page: 'docs/benchmark.md',
    why: 'Fetches pytest from the index; an environment with it stands in its place.',
    commands: ['python3 -m venv venv', 'venv/bin/python -m pip install --quiet pytest'],
  },
  {
    page: 'docs/benchmark.md',
    why: 'Needs SWE-bench Verified, predictions for it, Docker, and for two of them a key.',
    commands: [
      'testgrad bench --dataset verified --preds livesweagent=livesweagent/all_preds.jsonl --preds sonar=sonar/all_preds.jsonl --preds trae=trae/all_preds.jsonl --preds openhands=openhands/all_preds.jsonl --preset paper --model NAME --dry-run',
      'testgrad bench --dataset verified --preds livesweagent=livesweagent/all_preds.jsonl --preds sonar=sonar/all_preds.jsonl --preds trae=trae/all_preds.jsonl --preds openhands=openhands/all_preds.jsonl --preset paper --model NAME --shuffle --seed 1 --slice 0:20 --max-usd 50 --write slice',
      'testgrad evaluate --dataset verified --predictions gold --instances django__django-11179 -w 1',
      'testgrad evaluate --dataset verified --predictions out/preds.jsonl -w 8 --run-id selected',
    ],
  },
  {
    page: 'docs/operating.md',
    why: 'Starts containers, or names a server, a store and keys that are elsewhere.',
    commands: [
      'OPENAI_API_KEY=… DOCKER_GID=$(getent group docker | cut -d: -f3) docker compose up --build --detach',
      'export TEMPORAL_ADDRESS=127.0.0.1:7233 TEMPORAL_UI_URL=http://127.0.0.1:8080',
      'export TESTGRAD_ARTIFACTS=s3://testgrad/artifacts AWS_ENDPOINT_URL_S3=http://127.0.0.1:9000 AWS_REGION=us-east-1',
      'export AWS_ACCESS_KEY_ID=testgrad AWS_SECRET_ACCESS_KEY=testgrad-on-loopback',
      'testgrad select … --image NAME',
      'export TEMPORAL_ADDRESS=us-east-1.aws.api.temporal.io:7233 TEMPORAL_NAMESPACE=team.a1b2c TEMPORAL_API_KEY=…',
      'export TEMPORAL_ADDRESS=temporal.example.org:7233 TEMPORAL_TLS_CLIENT_CERT_PATH=client.pem TEMPORAL_TLS_CLIENT_KEY_PATH=client.key',
      'export TEMPORAL_PROFILE=prod',
    ],
  },
  {
    page: 'docs/operating.md',
    why: 'Asks or changes a Temporal server by its own command line.',
    commands: [
      'temporal operator search-attribute create --namespace default --name TestgradRun --type Keyword --name TestgradInstance --type Keyword --name TestgradRepository --type Keyword --name TestgradPhase --type Keyword --name TestgradDecision --type Keyword --name TestgradModel --type Keyword --name TestgradIteration --type Int --name TestgradTokens --type Int --name TestgradCostUsd --type Double',
      'temporal workflow list --query "TemporalReportedProblems IS NOT NULL"',
      'temporal workflow describe -w testgrad/select/RUN',
      'temporal workflow show -w testgrad/select/RUN -o json > history.json',
    ],
  },
  {
    page: 'docs/reference.md',
    why: 'Names files, branches, models and runs of the reader. Tutorial and benchmark run these verbs.',
    commands: [
      'testgrad select --issue issue.md --patch a.diff --patch b.diff --model NAME',
      'testgrad select --issue issue.md --branch claude=fix/claude --branch codex=fix/codex --json',
      'testgrad matrix --patch a.diff --patch b.diff --test-file tests/test_cache.py',
      'testgrad bench --dataset verified --preds a=a.jsonl --preds b=b.jsonl --model NAME --dry-run',
      'testgrad compare 7f3k0a1b last',
      'testgrad evaluate --dataset verified --predictions preds.jsonl -w 8',
      'testgrad evaluate --dataset rows.jsonl --predictions gold --local-repos repos.yaml',
      'testgrad apply 7f3k0a1b --test',
      'testgrad show 7f3k/y3',
      'testgrad show last/test_long_word',
      'testgrad show last/codex',
      'testgrad show 4f1c/django__django-12325/y3',
    ],
  },
  {
    page: 'docs/reference.md',
    why: 'Acts on a benchmark with errors or on a run in work, which the tutorial does not leave behind.',
    commands: ['testgrad retry last', 'testgrad pause last', 'testgrad resume last -w 8', 'testgrad cancel 7f3k0a1b'],
  },
  {
    page: 'docs/reference.md',
    why: 'The tutorial has done it already, and a second time is refused.',
    commands: ['testgrad apply last --preview', 'testgrad init'],
  },
  {
    page: 'docs/reference.md',
    why: 'Needs a Temporal server elsewhere, a port that may be taken, or a folder that fish has made.',
    commands: [
      'TEMPORAL_ADDRESS=temporal:7233 testgrad worker --task-queue testgrad',
      'testgrad view last --port 7788',
      'testgrad completion fish > ~/.config/fish/completions/testgrad.fish',
    ],
  },
];
