//go:build !linux

package ownlimits

func tooLow() string { return "" }
