"""Attention sequence-to-sequence translators that show every number they compute."""
