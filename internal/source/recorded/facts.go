package recorded

import (
	"context"
	"errors"
	"io"

	"github.com/jstall/jstall/internal/recording"
)

// Facts returns all entries of a recorded JVM except its dumps, the times of its threads and its profile, oldest first.
func (s *Source) Facts(ctx context.Context) ([]recording.Entry, error) {
	var facts []recording.Entry
	for {
		ask, _ := s.readings.Ask()
		entries, err := s.readings.Next()
		if errors.Is(err, io.EOF) {
			return facts, nil
		}
		if err != nil {
			return facts, err
		}
		for _, e := range entries {
			if ask != AskProfile && e.Kind != recording.ThreadDump && e.Kind != recording.Tasks {
				facts = append(facts, e)
			}
		}
		if err := ctx.Err(); err != nil {
			return facts, err
		}
	}
}
