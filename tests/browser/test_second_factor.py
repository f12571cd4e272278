"""A second factor in real Chromium: codes of an app, and a passkey that stands for name and password."""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
import time

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.server import Site
from tests.conftest import PASSWORD

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def test_an_app_and_a_passkey_are_set_up_and_let_in(visit: Visit, site: Site) -> None:
    """From the settings on, by what the pages offer; under the strict policy, of whose breach Chromium complains."""
    # Passkeys need a name; they don't go with a bare address.
    alice = visit(address=site.address.replace("127.0.0.1", "localhost"))
    site.ask("add_person", username="alice", display_name="Alice")
    page = alice.page
    devtools = alice.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    _type_password(page, "/account/login/?next=/account/settings/")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    page.get_by_role("link", name="Codes of an app, passkeys, recovery codes").click()
    page.get_by_role("link", name="Set up an app").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("img", name="QR code for the app")).to_be_visible()
    secret = page.locator(".secret").inner_text().replace(" ", "")
    page.get_by_label("Code that the app shows").fill(_code(secret, steps=-1))
    page.get_by_role("button", name="Switch on").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.get_by_role("link", name="Back", exact=True).click()
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_role("button", name="Create the passkey").click()
    expect(page.get_by_text("The passkey is added.")).to_be_visible()

    # Both steps: the password, and each of the two.
    for way in ("code", "passkey"):
        _log_out(page)
        _type_password(page, "/account/login/")
        expect(page.get_by_role("heading", name="One step more")).to_be_visible()
        if way == "code":
            page.get_by_label("Code").fill(_code(secret))
            page.get_by_role("button", name="Log in", exact=True).click()
        else:
            page.get_by_role("button", name="Use a passkey").click()
        expect(page.get_by_role("heading", name="Lobby")).to_be_visible()

    # The passkey alone, and to where one was going.
    _log_out(page)
    alice.go("/account/login/?next=/history/")
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_role("heading", name="My finished matches")).to_be_visible()

    # Broken off: the page says so, and can be used again.
    _log_out(page)
    devtools.send("WebAuthn.disable")
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": {**AUTHENTICATOR, "isUserVerified": False}})
    alice.go("/account/login/")
    button = page.get_by_role("button", name="Log in with a passkey")
    button.click()
    expect(page.get_by_role("alert").filter(visible=True)).to_contain_text("That did not work")
    expect(button).to_be_enabled()


def _type_password(page: Page, path: str) -> None:
    page.goto(path)
    page.get_by_label("Login name or e-mail address").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()


def _log_out(page: Page) -> None:
    page.goto("/account/logout/")
    page.get_by_role("main").get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()


def _code(secret: str, *, steps: int = 0) -> str:
    """As the app shows it (RFC 6238), or so many half minutes off: each is good once."""
    counter = struct.pack(">Q", int(time.time()) // 30 + steps)
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 10**6:06}"
