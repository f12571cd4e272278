"""What a report says, and what moderators fill in for an act."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.desk.acts import WHY_LENGTH, What
from accounts.desk.reports import TEXT_LENGTH, Report
from accounts.people.models import User
from accounts.people.names import DISPLAY_NAME_LENGTH, isolated_name
from accounts.people.sanctions import FOR_GOOD


class ReportForm(forms.Form):
    """About whom, why, and in which words."""

    about = forms.ChoiceField(label=_("Whom is it about?"), widget=forms.RadioSelect)
    reason = forms.ChoiceField(label=_("What is it?"), choices=Report.Reason.choices, widget=forms.RadioSelect)
    text = forms.CharField(
        label=_("What happened?"),
        help_text=_("Moderators see the match and the chat around it by themselves."),
        max_length=TEXT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"}),
    )

    def __init__(self, people: Sequence[User], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = {str(person.pk): person for person in people}
        field = self.fields["about"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(pk, isolated_name(person.display_name)) for pk, person in self.people.items()]
        if len(people) == 1:
            field.initial, field.widget = str(people[0].pk), forms.HiddenInput()

    @property
    def chosen(self) -> User:
        return self.people[self.cleaned_data["about"]]


DAY = 24
LENGTHS = [
    (1, _("1 hour")),
    (DAY, _("1 day")),
    (3 * DAY, _("3 days")),
    (7 * DAY, _("7 days")),
    (30 * DAY, _("30 days")),
    (0, _("for good")),
]
"""In hours; 0 has no end."""

LAST_YEAR = FOR_GOOD.year - 2

DECISIONS = (What.UPHOLD, What.DISMISS)

FIRST_CHOICE = {What.MUTE: DAY, What.SUSPEND: 7 * DAY, What.BAN: 0}


class ActForm(forms.Form):
    """Why, and what else this kind of act needs."""

    why = forms.CharField(
        label=_("Reason"),
        help_text=_("It is told to the person as you write it, and stays in the log."),
        max_length=WHY_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4, "cols": 60, "dir": "auto"}),
    )

    def __init__(self, what: str, *args: Any, whom: User | None = None, undoes: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if what in DECISIONS:
            self.fields["why"].help_text = _("For moderators. Whoever reported is only told how it was decided.")
        elif undoes in DECISIONS:
            self.fields["why"].help_text = _("For moderators. Whoever reported is only told that it is open again.")
        elif what == What.UNDO:
            self.fields["why"].help_text = _(
                "It is told to the person as you write it, unless what you undo was over already, and stays in the log."
            )
        if what in FIRST_CHOICE:
            self.fields["length"] = forms.TypedChoiceField(
                label=_("For how long"), choices=LENGTHS, coerce=int, initial=FIRST_CHOICE[What(what)]
            )
            self.fields["until"] = forms.DateTimeField(
                label=_("or until"),
                help_text=gettext("In your own time zone, %(zone)s. Counts instead of the length, if given.")
                % {"zone": timezone.get_current_timezone_name()},
                required=False,
                widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
            )
        if what in (What.SUSPEND, What.BAN):
            self.fields["resign_seats"] = forms.BooleanField(
                label=_("Resign all matches and leave all tables"),
                help_text=_("This does not come back when it is undone."),
                required=False,
            )
        if what == What.RENAME:
            neutral = f"Player {whom.pk}" if whom is not None else ""
            self.fields["name"] = forms.CharField(
                label=_("New display name"), max_length=DISPLAY_NAME_LENGTH, initial=neutral
            )

    def clean_until(self) -> datetime | None:
        """No moment so late that it is another year's somewhere, which can't be told or stored."""
        until: datetime | None = self.cleaned_data["until"]
        if until is not None and until.year > LAST_YEAR:
            raise forms.ValidationError(_("For as long as that, please choose “for good” instead."), code="too-late")
        return until

    def end(self, moment: datetime) -> datetime:
        """Until when, counted from that moment."""
        until: datetime | None = self.cleaned_data.get("until")
        if until is not None:
            return until
        hours: int = self.cleaned_data["length"]
        return moment + timedelta(hours=hours) if hours else FOR_GOOD


class FindForm(forms.Form):
    """Somebody by login name or display name."""

    name = forms.CharField(label=_("Find a person"), max_length=DISPLAY_NAME_LENGTH)
