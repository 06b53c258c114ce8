package finding

// Figure is evidence that is no line of a dump.
func Figure(text string) Evidence { return Evidence{Text: text} }
