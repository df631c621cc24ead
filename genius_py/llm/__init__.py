"""Language models: getting, loading and asking them, in batches, with replies that are legal.

Importing this package imports none of the model libraries; loading a model does.
"""

from genius_py.llm.backend import Backend
from genius_py.llm.language_model import LanguageModel
from genius_py.llm.manager import LLMManager
from genius_py.llm.model_spec import ModelSpec
from genius_py.llm.reply_cache import ReplyCache
from genius_py.llm.request import Completion, Message, Request, Sampling
from genius_py.llm.usage import Usage
from genius_py.model_counts import ModelCounts, model_counts

__all__ = [
    "Backend",
    "Completion",
    "LLMManager",
    "LanguageModel",
    "Message",
    "ModelCounts",
    "ModelSpec",
    "ReplyCache",
    "Request",
    "Sampling",
    "Usage",
    "model_counts",
]
