//go:build linux

package attach_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/threaddump"
)

// A thread dump of process 4711 on standard output; a failure comes with a remedy.
func Example() {
	client := &attach.Client{RunAs: attach.RunAs}
	answer, err := client.Execute(context.Background(), attach.Target{PID: 4711}, attach.ThreadDump(17, false))
	if e := (*attach.Error)(nil); errors.As(err, &e) {
		fmt.Fprintf(os.Stderr, "%v\ntry: %s\n", e, e.Remedy)
		return
	}
	_, _ = os.Stdout.Write(answer.Body)
}

// Two dumps of process 4711, and what they show.
func ExampleClient_Execute() {
	series, frames := timeline.NewSeries(), threaddump.NewInterner()
	begin := time.Now()
	for range 2 {
		answer, err := new(attach.Client).Execute(context.Background(), attach.Target{PID: 4711},
			attach.ThreadDump(17, true))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		dumps, err := threaddump.Parse(answer.Body, threaddump.WithInterner(frames))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		series.Add(timeline.Observation{Dump: dumps[0], At: threaddump.Known(time.Since(begin))})
		time.Sleep(2 * time.Second)
	}
	report := analysis.Diagnose(series, analysis.Options{})
	fmt.Println(report.Verdict.State, report.Verdict.Summary)
}
