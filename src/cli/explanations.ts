import type { ErrorCode } from '../errors.js';

/** What each code means at length, and what to do; `testgrad explain` prints them. */
export const EXPLANATIONS: Readonly<Record<ErrorCode, string>> = {
  'TG-I00': 'No candidate was named. Give at least two with --patch FILE or --branch REF.',
  'TG-I01':
    'One candidate leaves nothing to choose between. Add others, or pass --allow-single to have it tested by itself.',
  'TG-I02':
    'Every candidate was excluded: empty, malformed, not applicable to the base, or without a change outside of tests. The report names the reason for each. Check --base first: patches apply to the commit they were made from.',
  'TG-I03': 'A file that was named cannot be read: it is missing, a folder, not permitted, or not text.',
  'TG-I06':
    'A file of predictions, or lines of it, are not JSON (UTF-8). A file that ends in the middle is often still being written.',
  'TG-I07':
    'No row of a file of predictions has the fields of a format that is known: instance_id with model_patch, Augment (id, diffs), TRAE (instance_id, patches).',
  'TG-I08':
    'With --strict: an instance occurs more than once for one agent. Without it the later one counts, as in the SWE-bench harness.',
  'TG-I09':
    'Predictions name instances that the dataset does not have. With --strict any stops the run, without it only a source of which none is known: it belongs to another dataset or split.',
  'TG-I10':
    'With --strict: an agent has no prediction, or an empty one, for an instance. Without it the instance runs with the other agents.',
  'TG-I11':
    'The issue is what tells right from wrong, so select needs its text: --issue FILE, or --issue - for standard input.',
  'TG-I13':
    'testgrad.config.yaml is not YAML, holds a key that there is not or a value that does not fit, or would be overwritten. The message names the line. testgrad config schema describes the file, testgrad config show tells where each value comes from.',
  'TG-I14': 'A flag, a variable or a configuration file holds a value that cannot be used; the message says which.',
  'TG-I15':
    'The dataset is neither a file nor in the cache, and could not be downloaded. Download it where there is network and name the file (parquet, JSONL or JSON); gated datasets need HF_TOKEN.',
  'TG-I16':
    'A base, branch or commit is not known in the repository. Shallow clones lack old commits: git fetch --unshallow.',
  'TG-I17': 'Candidates are applied to a commit, so --repo must lie in a git repository with at least one commit.',
  'TG-I18': 'A file of candidates for several issues does not have the fields that were expected.',
  'TG-I19': 'The repository lacks objects of the base commit, as partial clones do. Fetch them: git fetch --refetch.',
  'TG-I20':
    'With --strict: predictions hold text around the diff, or no diff at all. Without it the diff is taken out of the text, and what holds none takes no part.',
  'TG-I21':
    'No row of the dataset has instance_id, repo, base_commit and problem_statement, so there is nothing to run.',
  'TG-E01': 'No Docker daemon answers. Containers need one; DOCKER_HOST names another than that of this machine.',
  'TG-E02': 'The Docker daemon refuses this user: it is not in the group docker.',
  'TG-E03':
    'The disk that holds the state folder is full. The run waits and goes on by itself once there is space; nothing is lost.',
  'TG-E04': 'The image was made for another processor than the one that Docker has here.',
  'TG-E05': 'An image is not there and could not be pulled: its name, its tag, the registry, or a rate limit.',
  'TG-E06': 'Node is older than this program needs.',
  'TG-E07':
    'Candidates are code by strangers, and bubblewrap keeps them from network, files and other processes. Install it (Debian, Ubuntu: apt install bubblewrap), or accept the risk with --sandbox none.',
  'TG-E08': 'git or the Python interpreter of the tests was not found or does not run.',
  'TG-E10':
    'TESTGRAD_ARTIFACTS names S3-compatible storage that does not answer or answers with errors. The run tries again and goes on by itself.',
  'TG-E11':
    'The storage that TESTGRAD_ARTIFACTS names refuses: no such bucket, credentials missing or not allowed to read, write and list, or no conditional writes. It is not tried again.',
  'TG-M01': 'select asks a language model, which needs OPENAI_API_KEY (and OPENAI_BASE_URL for other endpoints).',
  'TG-M02':
    'The endpoint refused the key. It is not tried again. Check OPENAI_API_KEY and OPENAI_BASE_URL belong together.',
  'TG-M03':
    'The endpoint does not know the model. Names differ between endpoints; --model takes the name as it is there.',
  'TG-M04': 'The endpoint limits the rate. The run waits as long as the endpoint asks and goes on.',
  'TG-M05': 'A conversation does not fit into the context of the model, even after what was read was trimmed.',
  'TG-M06': 'The endpoint refused a request for a reason that repeating does not mend; the message quotes it.',
  'TG-M07': 'The endpoint cannot be reached or answers with errors. It is tried again for about a quarter of an hour.',
  'TG-M08':
    'A recorded session (TESTGRAD_REPLAY) has no answer for a request: the run has left the recorded path, or the recording is of something else.',
  'TG-S01':
    'The tests do not run on the unpatched base, so nothing could be told about the candidates. Check --test-cmd, --python, --python-path and --setup. No model was asked.',
  'TG-S02':
    'No test was collected. A step without tests is never counted as passed or failed. Check --test-file and --test-cmd.',
  'TG-S03': 'The test command cannot be started: its program or the module after -m is not there.',
  'TG-S08':
    'The tests import an installed copy of the package and not the code of the candidate, so all candidates would look the same. Name the import root with --python-path, or use an interpreter without that copy.',
  'TG-S09': 'The sandbox broke; no candidate is blamed for it. It is tried again.',
  'TG-S10': 'The command of --setup failed in a tree; its last lines are in the message.',
  'TG-T01': 'No Temporal server answers at the configured address. Without TEMPORAL_ADDRESS a local one is started.',
  'TG-T02': 'The run was accepted and no worker takes it. It waits; start one with testgrad worker or testgrad up.',
  'TG-T04': "Temporal's namespace lacks search attributes that runs set; a run that sets them would stall.",
  'TG-T05': 'The local server needs the Temporal CLI, and it was neither found nor could it be fetched.',
  'TG-T06': 'The local server or its worker did not start or stop; the end of its log is in the message.',
  'TG-T07': 'A value between workflow and activities grew beyond what may travel; this is a defect of testgrad.',
  'TG-R04':
    'The tree has changed since the run, so the patch does not apply any more. It is kept as a file; git apply -3 can often place it.',
  'TG-R05': 'No run or more than one run begins like that. testgrad status lists them.',
  'TG-R06': 'The run was cancelled. What was computed stays; the same select goes on from there.',
  'TG-R07': 'A stored object is missing or damaged. Nothing was decided on it.',
  'TG-X01': 'Something happened that testgrad does not foresee: a defect.',
};
