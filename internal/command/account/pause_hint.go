package account

import (
	"fmt"

	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/internal/source/live"
)

// pauseHint names the flags that allow a request whose predicted pause is too long, empty if no flag does.
func pauseHint(e *live.PauseError) string {
	if e.Predicted == 0 {
		return ""
	}
	hint := fmt.Sprintf("allow this pause with --max-pause %s", memory.LongerPause(e.Predicted))
	if e.WithAll > 0 && e.WithAll < e.MaxPause {
		hint += ", or count dead objects too, without a collection: --all"
	}
	return hint
}
