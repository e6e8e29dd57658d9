"""Show pictures in a page of Jupyter, and react to clicks; the only module that uses ipycanvas.

`Screen` is a canvas that shows one `Picture` after another. `Shown` is something with a picture
that appears in a notebook: as HTML where there is a kernel, and in feedback or on paper as SVG and
as text. `Clickable` is one with widgets; ipycanvas is imported only when it is needed.
"""

import importlib.util
import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from html import escape
from typing import Any, TypeAlias

from .drawing import (
    DASHES,
    FONT,
    PANEL,
    Circle,
    Line,
    Picture,
    Polygon,
    Words,
    rectangle,
    svg,
)
from .steps import image

Handler: TypeAlias = Callable[..., None]

FINE = 2  # points of the canvas for each pixel of the layout, for sharp letters
FOCUS = """<style>.course-canvas :is(canvas, button):focus-visible {
outline: 3px solid #0072b2 !important; }</style>"""
# A page shows the widgets, or once they are gone the picture in the place of Jupyter's error.
GIVE_WAY = """
:root:has(.MARK) :is(.MARK-still, .jp-OutputArea-child:has(.MARK-still)),
.jp-OutputArea-child:not(:has(.MARK)):has(+ .jp-OutputArea-child .MARK-still) { display: none }
"""
ALIGN = {"start": "left", "middle": "center", "end": "right"}


def has_kernel() -> bool:
    """Return whether somebody may be looking."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


def has_ipycanvas() -> bool:
    """Return whether there is something to paint on."""
    return importlib.util.find_spec("ipycanvas") is not None


class Screen:
    """A canvas that shows a picture, also after the page was loaded again."""

    def __init__(self, width: float, height: float, clicked: Handler, pointed: Handler) -> None:
        """Make a canvas of a size in pixels; `clicked` and `pointed` are told x and y.

        `pointed` is told None, None when the pointer leaves.
        """
        from ipycanvas import Canvas

        self.canvas = Canvas(
            width=round(FINE * width), height=round(FINE * height),
            layout={"width": f"{round(width)}px", "max_width": "100%", "height": "auto"},
        )  # fmt: skip
        self._clicked, self._pointed = clicked, pointed
        self._pointer: tuple[float, float] | None = None
        self._picture: Picture | None = None
        self.canvas.on_mouse_move(self._moved)
        self.canvas.on_mouse_out(self._left)
        self.canvas.on_mouse_down(self._pressed)
        self.canvas.on_client_ready(self._again)

    def show(self, *pictures: Picture, pause: float = 40) -> None:
        """Show pictures one after the other, `pause` milliseconds apart; the last one stays."""
        self._picture = pictures[-1]
        with _one_message(self.canvas):
            for number, picture in enumerate(pictures):
                if number:
                    self.canvas.sleep(pause)
                self._paint(picture)

    def _paint(self, picture: Picture) -> None:
        width, height = self.canvas.width / FINE, self.canvas.height / FINE
        panel = rectangle(0, 0, width, height, PANEL)
        self.canvas.save()
        self.canvas.scale(FINE, FINE)
        _Brush(self.canvas).paint([panel, *picture.shapes])
        self.canvas.restore()

    def _again(self) -> None:
        self._pointer = None  # where it was in the page that is gone
        if self._picture is not None:
            self.show(self._picture)

    def _moved(self, x: float, y: float) -> None:
        self._pointer = x, y
        self._pointed(x / FINE, y / FINE)

    def _left(self, x: float, y: float) -> None:
        self._pointer = None
        self._pointed(None, None)

    def _pressed(self, x: float, y: float) -> None:
        # A canvas that is partly out of view is scrolled in before the place of the click is
        # measured. The pointer was on its way before that, so its last place is the right one.
        x, y = self._pointer or (x, y)
        self._clicked(x / FINE, y / FINE)


@contextmanager
def _one_message(canvas: Any) -> Iterator[None]:
    """Send all shapes in one message, as a page takes only so many messages a second."""
    from ipycanvas import hold_canvas

    manager = canvas._canvas_manager
    manager._current_canvas = None  # a page that was loaded anew has to be told which canvas
    try:
        with hold_canvas():
            yield
    finally:
        manager._caching = False  # hold_canvas would keep it after an error


class _Brush:
    """Paints shapes; sends only the settings that differ from the last shape's."""

    def __init__(self, canvas: Any) -> None:
        self._canvas = canvas
        self._set: dict[str, Any] = {}

    def paint(self, shapes: Sequence[Any]) -> None:
        """Paint shapes, the topmost last."""
        for shape in shapes:
            if isinstance(shape, Words):
                self._words(shape)
            elif isinstance(shape, Line):
                self._use(stroke_style=shape.stroke, line_width=shape.width, dashed=shape.dashed)
                self._canvas.stroke_line(shape.x1, shape.y1, shape.x2, shape.y2)
            elif isinstance(shape, Circle):
                self._circle(shape)
            else:
                self._outline(shape)

    def _words(self, words: Words) -> None:
        weight = "bold " if words.bold else ""
        font = f"{weight}{words.size:g}px {FONT}"
        self._use(fill_style=words.fill, font=font, text_align=ALIGN[words.anchor])
        self._canvas.fill_text(words.words, words.x, words.y)

    def _outline(self, shape: Polygon) -> None:
        self._canvas.begin_path()
        self._canvas.move_to(*shape.points[0])
        for point in shape.points[1:]:
            self._canvas.line_to(*point)
        self._canvas.close_path()
        if shape.fill:
            self._use(fill_style=shape.fill)
            self._canvas.fill()
        if shape.stroke:
            self._use(stroke_style=shape.stroke, line_width=shape.width, dashed=shape.dashed)
            self._canvas.stroke()

    def _circle(self, shape: Circle) -> None:
        where = shape.x, shape.y, shape.radius
        if shape.fill:
            self._use(fill_style=shape.fill)
            self._canvas.fill_circle(*where)
        if shape.stroke:
            self._use(stroke_style=shape.stroke, line_width=shape.width, dashed=False)
            self._canvas.stroke_circle(*where)

    def _use(self, **wanted: Any) -> None:
        for name, value in wanted.items():
            if self._set.get(name) == value:
                continue
            self._set[name] = value
            if name == "dashed":
                self._canvas.set_line_dash(list(DASHES) if value else [])
            else:
                setattr(self._canvas, name, value)


class Shown(ABC):
    """Something with a picture, a title and a line of words, that a notebook can show."""

    def __init__(self, title: str, live: bool | None) -> None:
        """Show it in a page if `live`; by default, if there is a kernel."""
        self.title = title
        self.live = has_kernel() if live is None else live
        self.trouble = ""  # what went wrong, with details, for the reader

    @abstractmethod
    def picture(self) -> Picture:
        """Return the picture as it is now."""

    @abstractmethod
    def status(self) -> str:
        """Return the line of words for the picture as it is now."""

    def svg(self) -> str:
        """Return the picture as SVG, with title and words."""
        return svg(self.picture(), self.title, self.status())

    def html(self) -> str:
        """Return the picture as HTML that needs no kernel and no script."""
        return image(self.svg(), str(self))

    def __str__(self) -> str:
        """Return everything as text."""
        parts = self.title, self.picture().text, self.status(), self.trouble
        return "\n".join(filter(None, parts))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Return it for a page if there is one, or else as a drawing; and as text."""
        if not self.live:
            return {"text/plain": str(self), "image/svg+xml": self.svg()}
        trouble = f"<pre>{escape(self.trouble)}</pre>" if self.trouble else ""
        return {"text/plain": str(self), "text/html": self.html() + trouble}


class Clickable(Shown):
    """Something on a canvas that reacts to clicks; without a kernel it is its last picture."""

    def __init__(self, title: str, live: bool | None) -> None:
        """Use widgets if `live`; by default, if there are a kernel and ipycanvas."""
        super().__init__(title, has_kernel() and has_ipycanvas() if live is None else live)
        self.box: Any = None
        self._kept: Any = None  # the picture in the notebook for when the kernel is gone

    def build(self, width: float, height: float, *controls: Any) -> None:
        """Put a canvas of that size between title and words, and `controls` below."""
        from ipywidgets import HTML, HBox, VBox

        self.screen = Screen(width, height, self.safely(self.clicked), self.safely(self.pointed))
        self._said, self._wrong = HTML(), HTML()
        heading = HTML(f"<b>{escape(self.title)}</b>{FOCUS}")
        row = HBox(controls, layout={"flex_flow": "row wrap", "align_items": "center"})
        self.box = VBox([heading, self.screen.canvas, self._said, row, self._wrong])
        self.box.add_class("course-canvas").add_class(self._mark())

    @abstractmethod
    def clicked(self, x: float, y: float) -> None:
        """React to a click at (x, y)."""

    @abstractmethod
    def pointed(self, x: float | None, y: float | None) -> None:
        """Show that the pointer is at (x, y), or has left."""

    def redraw(self, *before: Picture) -> None:
        """Show the picture and the words as they are now; the pictures `before` come first."""
        if self.box is not None:
            self._said.value = f'<span aria-live="polite">{escape(self.status())}</span>'
            self._wrong.value = f"<pre>{escape(self.trouble)}</pre>" if self.trouble else ""
            self.screen.show(*before, self.picture())
        if self._kept is not None:
            self._kept.update(self._repr_mimebundle_(), raw=True)

    def safely(self, handler: Handler) -> Handler:
        """Return a handler that shows its own errors, which a page would swallow."""

        @wraps(handler)
        def guarded(*args: Any) -> None:
            try:
                handler(*args)
            except Exception:
                self.trouble = traceback.format_exc()
                self._wrong.value = f"<pre>{escape(self.trouble)}</pre>"

        return guarded

    def html(self) -> str:
        """Return the picture, with a style that shows either it or the widgets."""
        mark = self._mark()
        style = GIVE_WAY.replace("MARK", mark)
        words = "<p>To play on, run this cell again.</p>"
        return f'<style>{style}</style><div class="{mark}-still">{super().html()}{words}</div>'

    def _mark(self) -> str:
        return f"course-canvas-{self.box.model_id}"

    def _ipython_display_(self) -> None:
        """Show the widgets, and after them the picture, which stays in the notebook."""
        if self.box is None:
            raise NotImplementedError  # which asks for the bundle
        from IPython import display

        show: Any = display.display
        view = "application/vnd.jupyter.widget-view+json"
        widgets = {"text/plain": "", view: self.box._repr_mimebundle_()[view]}
        show(widgets, raw=True)
        self._kept = show(self._repr_mimebundle_(), raw=True, display_id=True)
