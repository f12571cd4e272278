"""What every request passes: a connection to the database does not outlive the request it was opened for."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import AsyncRequestFactory, RequestFactory

from config.middleware import connections_end_with_the_request


def query(request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("factory", "stays"), [(AsyncRequestFactory(), False), (RequestFactory(), True)])
def test_connections_end_with_requests_that_have_threads_of_their_own(factory: Any, stays: bool) -> None:
    open_after: list[bool] = []

    def serve() -> None:
        connections_end_with_the_request(query)(factory.get("/"))
        open_after.append(connection.connection is not None)
        connection.close()

    thread = threading.Thread(target=serve)
    thread.start()
    thread.join()
    assert open_after == [stays]
