from . import corners
from .sizes import large
