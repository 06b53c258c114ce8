package memory

import (
	"context"

	"github.com/jstall/jstall/internal/hotspot"
)

// Classes reads the loaded classes from the target's memory.
func (l *Reader) Classes(ctx context.Context, o hotspot.ClassOptions) (*hotspot.ClassList, error) {
	return FromMemory(ctx, l, l.Limit(), func(ctx context.Context) (*hotspot.ClassList, error) {
		p, err := l.Open(ctx)
		if err != nil {
			return nil, err
		}
		list, err := p.Classes(ctx, o)
		if err != nil {
			return nil, l.unread(err)
		}
		return list, nil
	})
}
