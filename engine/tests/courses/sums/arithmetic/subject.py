from referee.model import Subject

SUBJECT = Subject(library=("calculator.py",))
