"""Takes in an uploaded record: in memory, never more than a record may have, and only where one is asked for."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadhandler import FileUploadHandler, SkipFile, StopUpload
from django.http import HttpRequest
from django.urls import reverse

from games.contract.strict_json import MAX_BYTES

FIELD = "file"
"""The field of the form that has the record."""


class RecordUpload(FileUploadHandler):
    """The handler of all uploads: every file but the record to be checked is dropped unread.

    Of a file that is too large no more is read than shows it.
    """

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self.data: bytearray | None = None

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        wanted = self.request is not None and self.request.path == reverse("records") and self.field_name == FIELD
        if not wanted or self.data is not None:
            raise SkipFile
        self.data = bytearray()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        assert self.data is not None
        self.data += raw_data
        if len(self.data) > MAX_BYTES:
            raise StopUpload(connection_reset=True)

    def file_complete(self, file_size: int) -> None:
        """Gives no file to the form: it is taken from here by `uploaded_record`."""


def uploaded_record(request: HttpRequest) -> bytes | None:
    """The bytes of the record that the form brought, at most a block more than a record may have; None without one."""
    for handler in request.upload_handlers:
        if isinstance(handler, RecordUpload) and handler.data is not None:
            return bytes(handler.data)
    return None
