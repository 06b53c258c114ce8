package analysis_test

import (
	"fmt"
	"log"
	"os"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// A saved dump of a JVM, and who is to blame for its state.
func ExampleDiagnose() {
	text, err := os.ReadFile("../testdata/demo/3.txt")
	if err != nil {
		log.Fatal(err)
	}
	dumps, err := threaddump.Parse(text)
	if err != nil {
		log.Fatal(err)
	}
	series := timeline.NewSeries()
	for _, d := range dumps {
		series.Add(timeline.Observation{Dump: d})
	}
	report := analysis.Diagnose(series, analysis.Options{})
	fmt.Println(report.Verdict.State)
	for _, t := range report.Findings[0].Culprits {
		fmt.Println(t.Name)
	}
	// Output:
	// deadlocked
	// http-worker-1
	// refunds
}
