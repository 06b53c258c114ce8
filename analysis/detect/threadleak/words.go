package threadleak

import (
	"fmt"
	"strings"

	"jstall/analysis/timeline"
)

func leakAdvice(fresh []*timeline.History) string {
	if eachFirst(fresh) {
		return "Each is the first thread of a new executor: shut it down when its work is done, or share one."
	}
	return "End them when their work is done, or share one executor."
}

// inWords lists the numbers of a growth: "10, 14, 19".
func inWords(counts []int) string {
	words := make([]string, len(counts))
	for i, n := range counts {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, ", ")
}

func (s starter) words(f *timeline.Timeline) string {
	return fmt.Sprintf("%s was seen starting a thread, %s", s.h.Thread.Called(), f.Ref(s.sample).Where())
}
