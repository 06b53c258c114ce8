package capture

import (
	"context"
	"fmt"

	"github.com/jstall/jstall/internal/hotspot"
)

// Classes reads from the target's memory what it has loaded.
func (l *Live) Classes(ctx context.Context, o hotspot.ClassOptions) (*hotspot.ClassList, error) {
	return fromMemory(ctx, l, l.timeout(), func(ctx context.Context) (*hotspot.ClassList, error) {
		p, err := l.openMemory(ctx)
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

// CoreClasses reads from a core file what the JVM in it had loaded. cut is what the file lacks, nil if it is whole.
func CoreClasses(ctx context.Context, name string, o hotspot.ClassOptions) (
	list *hotspot.ClassList, cut, err error) {
	ctx, cancel := withinCoreTime(ctx)
	defer cancel()
	c, err := openCore(ctx, name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	defer c.close()
	if list, err = c.jvm.Classes(ctx, o); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, c.failed(ctx, err))
	}
	return list, c.cut, nil
}
