package jstall_test

import (
	"os"
	"regexp"
)

// modulePath is the path of this module, from go.mod.
var modulePath = func() string {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		panic(err)
	}
	return string(regexp.MustCompile(`(?m)^module (\S+)$`).FindSubmatch(text)[1])
}()
