package top

// prompt is the line in which the pattern of names is typed.
type prompt struct {
	open bool
	text string
	// wrong is why the text is no regular expression.
	wrong string
}

// maxPattern bounds a pattern in bytes.
const maxPattern = 200
