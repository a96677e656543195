"""Named checks of a mention's text: check digits and calendars, by country."""
