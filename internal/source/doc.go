// Package source declares what a source of readings is, what a reading may be asked for and what it cost.
package source

import (
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/capture"
)

// Cost is forwarded until its code is here.
type Cost = capture.Cost

// DefaultMaxPause is forwarded until its code is here.
const DefaultMaxPause = capture.DefaultMaxPause

// LockMode is forwarded until its code is here.
type LockMode = capture.LockMode

// LocksAlways is forwarded until its code is here.
const LocksAlways = capture.LocksAlways

// LocksAuto is forwarded until its code is here.
const LocksAuto = capture.LocksAuto

// LocksNever is forwarded until its code is here.
const LocksNever = capture.LocksNever

// NameOf is forwarded until its code is here.
func NameOf(file string) string { return capture.NameOf(file) }

// NeedsOf is forwarded until its code is here.
func NeedsOf(kinds []finding.Kind) capture.Needs { return capture.NeedsOf(kinds) }

// Request is forwarded until its code is here.
type Request = capture.Request

// SilencedError is forwarded until its code is here.
type SilencedError = capture.SilencedError

// Source is forwarded until its code is here.
type Source = capture.Source

// Stdin is forwarded until its code is here.
const Stdin = capture.Stdin

// Via is forwarded until its code is here.
type Via = capture.Via

// ViaAttach is forwarded until its code is here.
const ViaAttach = capture.ViaAttach

// ViaAuto is forwarded until its code is here.
const ViaAuto = capture.ViaAuto

// ViaMemory is forwarded until its code is here.
const ViaMemory = capture.ViaMemory

// VirtualAlways is forwarded until its code is here.
const VirtualAlways = capture.VirtualAlways

// VirtualAuto is forwarded until its code is here.
const VirtualAuto = capture.VirtualAuto

// VirtualMode is forwarded until its code is here.
type VirtualMode = capture.VirtualMode

// VirtualNever is forwarded until its code is here.
const VirtualNever = capture.VirtualNever
