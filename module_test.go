package jstall_test

import (
	"os"
	"regexp"
)

// modulePath is how this module is imported, as go.mod has it.
var modulePath = func() string {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		panic(err)
	}
	return string(regexp.MustCompile(`(?m)^module (\S+)$`).FindSubmatch(text)[1])
}()
