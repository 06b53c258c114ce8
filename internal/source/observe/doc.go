// Package observe runs a source to its end and parses its entries into observations.
package observe

import (
	"context"

	"github.com/jstall/jstall/internal/capture"
	"github.com/jstall/jstall/internal/source"
)

// Plan is forwarded until its code is here.
type Plan = capture.Plan

// Result is forwarded until its code is here.
type Result = capture.Result

// Take is forwarded until its code is here.
func Take(ctx context.Context, src source.Source, plan capture.Plan) (*capture.Result, error) {
	return capture.Take(ctx, src, plan)
}

// Texts is forwarded until its code is here.
type Texts = capture.Texts
