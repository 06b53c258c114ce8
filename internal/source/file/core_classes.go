package file

import (
	"context"
	"fmt"

	"github.com/jstall/jstall/internal/hotspot"
)

// CoreClasses reads the loaded classes from a core file. cut says what the file lacks, nil if it is complete.
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
