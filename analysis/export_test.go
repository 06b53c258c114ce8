package analysis

// The tests of this package are outside of it and need this unexported name.
var Explain = explain
