package analysis

// The tests of this package are outside of it and need these unexported names.
var (
	Explain    = explain
	FirstName  = firstName
	IsComm     = isComm
	KindOfComm = kindOfComm
)
