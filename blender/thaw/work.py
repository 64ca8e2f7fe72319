"""Work of operators that runs the command in between: with a window it goes on in the background and can be cancelled."""

import re

import bpy

from . import child

_INTERVAL = 0.1  # seconds


class Job:
    """A generator that yields the words of a run and gets the lines that it printed."""

    def __init__(self, command, work):
        self._command, self._work = command, work
        self.run, self.title = None, "thaw"
        self._next(None)

    def _next(self, lines):
        """Whether there is more to do."""
        try:
            words = self._work.send(lines)
            self.title = f"thaw {words[0]}"
            self.run = child.Run(self._command, *words, "--progress", "json")
        except StopIteration:
            self.run = None
        return self.run is not None

    def is_done(self):
        """Goes on where a run has ended; raises Failure if it failed."""
        if self.run is None:
            return True
        try:
            return self.run.is_done() and not self._next(self.run.lines())
        except BaseException:
            self.stop()
            raise

    def finish(self):
        while not self.is_done():
            self.run.wait()

    def stop(self):
        if self.run is not None:
            self.run.stop()
        self.run = None
        self._work.close()


class Work:
    """For operators: `start` in execute, the rest is Blender's."""

    _timer = _job = None

    def start(self, context, command, work):
        try:
            self._job = Job(child.find(command), work)
            if bpy.app.background or context.window is None or not self.options.is_invoke:
                self._job.finish()
                return {"FINISHED"}
        except child.Failure as failure:
            return self._fail(failure)
        context.window_manager.progress_begin(0, 100)
        self._timer = context.window_manager.event_timer_add(_INTERVAL, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self.cancel(context)
            self.report({"INFO"}, "Cancelled.")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            if self._job.is_done():
                self._end(context)
                return {"FINISHED"}
        except child.Failure as failure:
            self._end(context)
            return self._fail(failure)
        except BaseException:
            self._end(context)
            raise
        share = self._job.run.share
        context.window_manager.progress_update(int(100 * (share or 0)))
        context.workspace.status_text_set(f"{self._job.title}{'' if share is None else f': {share:.0%}'} · Esc cancels")
        return {"RUNNING_MODAL"}

    def cancel(self, context):
        """Esc, or Blender is closed."""
        if self._job is not None:
            self._job.stop()
        self._end(context)

    def _end(self, context):
        if self._timer is None:
            return
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        self._timer = None

    def _fail(self, failure):
        self.report({"ERROR"}, str(failure))
        return {"CANCELLED"}

    def tell(self, lines):
        for line in lines:
            found = re.match(r".*?: (info|warning) [\w.-]+: (.*)", line)
            if found:
                self.report({found[1].upper()}, found[2])
