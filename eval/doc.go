// Package eval judges the diagnosis on the programs of testdata/eval (alone, and with other work in the same process),
// testdata/frameworks and testdata/incidents: live, by `make eval`, and in every test run on recorded dumps of the same
// programs. It holds tests only.
package eval
