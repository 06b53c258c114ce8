package analysis

// The tests of this package stand outside of it; they need these names from inside.
var (
	Explain    = explain
	FirstName  = firstName
	IsComm     = isComm
	KindOfComm = kindOfComm
)
