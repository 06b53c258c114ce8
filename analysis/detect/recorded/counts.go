package recorded

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// exceptions are the words of exceptions at a high rate: which they are if they were recorded one by one.
func exceptions(f figure) finding.Candidate {
	all := f.Thrown.Within(f.when)
	c := words(fmt.Sprintf("%s exceptions a second were made, %s", finding.Thousands(int(f.size)), f.Worst(f.when)),
		fmt.Sprintf("%s exceptions, %s", finding.Thousands(int(all)), f.When(f.when)))
	recorded := 0.0
	for _, t := range f.Throws {
		recorded += float64(t.Count)
	}
	if recorded < all/2 { // only errors were recorded one by one, or not at that time
		c.Advice = "Find where they are made: record jdk.JavaExceptionThrow. Do not use exceptions for what is usual."
		return c
	}
	const most = 3
	for _, t := range f.Throws[:min(len(f.Throws), most)] {
		c.Evidence = append(c.Evidence, finding.Figure(fmt.Sprintf("%s × %s in %s", finding.Thousands(int(t.Count)),
			t.Class, placeText(t.Thread.Place))))
	}
	c.Culprits = refs([]flight.Thread{f.Throws[0].Thread})
	return c
}

// moreThreads measures how many times as many threads there are at the end, if they grew all the time: of the recording
// without the JVM's first minute the mean of each fifth exceeds that of the fifth before by a tenth of all growth at
// least, as a leak goes on and a pool that fills stops. In the end there are far more than the CPUs could run at once.
func moreThreads(r *flight.Recording, noticed float64) []figure {
	const (
		parts  = 5
		steady = 0.1
		many   = 200
		least  = time.Minute
	)
	points := afterStart(r)
	if len(points) < 2*parts {
		return nil
	}
	first, last := points[0], points[len(points)-1]
	if last.At.Sub(first.At) < least || last.Value < noticed*first.Value || last.Value < many {
		return nil
	}
	before := 0.0
	for i := range parts {
		now := mean(points[i*len(points)/parts : (i+1)*len(points)/parts])
		if i > 0 && now-before < steady*(last.Value-first.Value) {
			return nil
		}
		before = now
	}
	return []figure{{size: last.Value / first.Value}}
}

// afterStart are the numbers of threads without those of the JVM's first minute.
func afterStart(r *flight.Recording) []flight.Point {
	points := r.Threads
	for len(points) > 0 && points[0].At < r.JVM.Started.Add(start) {
		points = points[1:]
	}
	return points
}

func threadsGrew(f figure) finding.Candidate {
	points := afterStart(f.Recording)
	first, last := points[0], points[len(points)-1]
	return words(fmt.Sprintf("the number of threads grew from %.0f to %.0f, %s", first.Value, last.Value,
		f.Between(first.At, last.At)),
		fmt.Sprintf("it grew in every fifth of the time, by %.0f an hour",
			(last.Value-first.Value)/last.At.Sub(first.At).Hours()))
}
