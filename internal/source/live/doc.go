// Package live is the source that asks a running JVM.
package live

import (
	"github.com/jstall/jstall/internal/source/target"
)

// ReleaseFile is forwarded until its code is here.
const ReleaseFile = target.ReleaseFile
