package shell

import (
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/remote"
)

// OnFlags are the flags of every command that can run at another place.
func OnFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "on", Usage: "run at `PLACE`: " + remote.Forms + "; may be repeated"},
		&cli.StringFlag{Name: "binary", Usage: "with --on: copy the jstall in `FILE` to PLACE",
			DefaultText: "this program, or jstall-linux-ARCH next to it"},
		&cli.BoolFlag{Name: "keep-binary", Usage: "with --on: leave jstall in ~/.cache/jstall at PLACE for later runs"},
		&cli.DurationFlag{Name: "connect-timeout", Value: defaultConnect,
			Usage: "with --on: how long PLACE may take to answer"},
	}
}

// defaultConnect is below ten seconds, so that one dead place does not hold up the others for longer.
const defaultConnect = 8 * time.Second
