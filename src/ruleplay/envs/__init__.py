"""Problems to learn: compiled dynamics, and Gymnasium environments over the same dynamics."""

from ruleplay.environments import register_environments
from ruleplay.envs.acrobot import make_acrobot
from ruleplay.envs.bit_flip import BitFlipEnv
from ruleplay.envs.boolean.carry import make_carry
from ruleplay.envs.boolean.majority import make_majority
from ruleplay.envs.boolean.multiplexer import make_multiplexer
from ruleplay.envs.boolean.parity import make_parity
from ruleplay.envs.breast_cancer import load_breast_cancer, make_breast_cancer
from ruleplay.envs.cartpole import make_cartpole
from ruleplay.envs.chain import make_chain
from ruleplay.envs.checkerboard import make_checkerboard
from ruleplay.envs.drawing.picture import (
    Picture,
    draw_picture,
    load_picture,
    mario_picture,
    save_picture,
)
from ruleplay.envs.dynamics import reset_problem, step_problem
from ruleplay.envs.functions import make_function
from ruleplay.envs.gymnasium_envs import CompiledEnv
from ruleplay.envs.mario import make_mario
from ruleplay.envs.mountaincar import make_mountaincar
from ruleplay.envs.problem import Problem, make_problem, problem_names, problem_options
from ruleplay.envs.real_multiplexer import make_real_multiplexer
from ruleplay.envs.woods.woods import make_woods

__all__ = [
    "BitFlipEnv",
    "CompiledEnv",
    "Picture",
    "Problem",
    "draw_picture",
    "load_breast_cancer",
    "load_picture",
    "make_acrobot",
    "make_breast_cancer",
    "make_carry",
    "make_cartpole",
    "make_chain",
    "make_checkerboard",
    "make_function",
    "make_majority",
    "make_mario",
    "make_mountaincar",
    "make_multiplexer",
    "make_parity",
    "make_problem",
    "make_real_multiplexer",
    "make_woods",
    "mario_picture",
    "problem_names",
    "problem_options",
    "register_environments",
    "reset_problem",
    "save_picture",
    "step_problem",
]
