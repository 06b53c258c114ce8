package hotspot

import (
	"github.com/jstall/jstall/internal/hotspot/classes"
	"github.com/jstall/jstall/internal/hotspot/dump"
	"github.com/jstall/jstall/internal/hotspot/facts"
)

// What callers of this package use of those below it.
type (
	Dump         = dump.Dump
	Facts        = facts.Facts
	ClassList    = classes.List
	ClassOptions = classes.Options
	Class        = classes.Class
	Loader       = classes.Loader
	MethodCount  = classes.MethodCount
)

// Initialised is the state of a class after its initialisation.
const Initialised = classes.Initialised
