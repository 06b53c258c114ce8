package top

// prompt is the line in which the pattern of names is typed.
type prompt struct {
	open bool
	text string
	// wrong says why the text is not a regular expression.
	wrong string
}

// maxPattern bounds a pattern in bytes.
const maxPattern = 200
