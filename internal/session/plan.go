package session

import (
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
)

// Plan says what captures are taken for.
type Plan struct {
	// Show is the view of the report.
	Show render.View
	// Kinds are the findings to look for, nil for all.
	Kinds []finding.Kind
	// InvolvedOnly limits the threads in the text to those of the findings.
	InvolvedOnly bool
}
