"""Workers do tasks for their parent, and go quietly when it is gone."""

import pickle
import subprocess
import sys

SERVE = """
from ruleplay.experiments import workers
workers.attempt_trial = lambda *task: sum(task)
workers.serve()
"""


def hire():
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([sys.executable, "-c", SERVE], **pipes)


def test_a_worker_answers_until_its_input_is_closed():
    with hire() as worker:
        for numbers in ((1, 2), (3, 4)):
            pickle.dump(numbers, worker.stdin)
            worker.stdin.flush()
            assert pickle.load(worker.stdout)[0] == sum(numbers)
        worker.stdin.close()
        assert worker.wait(60) == 0


def test_a_worker_whose_parent_is_gone_says_nothing():
    with hire() as worker:
        worker.stdout.close()
        pickle.dump((1, 2), worker.stdin)
        worker.stdin.flush()
        assert worker.wait(60) == 0
        assert worker.stderr.read() == b""
