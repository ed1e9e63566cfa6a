"""The browser application. It draws what `attention_model` computed and computes nothing itself."""
