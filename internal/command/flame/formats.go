package flame

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/shell"
)

// The formats of a profile.
const (
	asTable      = "table"
	asPprof      = "pprof"
	asCollapsed  = "collapsed"
	asSpeedscope = "speedscope"
	asTree       = "json"
	asHTML       = "html"
)

// flameFormats maps the ends of file names to formats; the longer ends come first.
var flameFormats = []struct{ end, format string }{
	{".speedscope.json", asSpeedscope}, {".speedscope", asSpeedscope},
	{".html", asHTML}, {".htm", asHTML}, {".pb.gz", asPprof}, {".pprof", asPprof},
	{".collapsed", asCollapsed}, {".folded", asCollapsed}, {".json", asTree},
}

// flameOutput is the destination of a profile, and its format.
type flameOutput struct {
	// The file is "-" for standard output, or has no path: then the format is asTable or --as was given.
	shell.OutFile
	format string
}

func readOutput(c *cli.Context) (flameOutput, error) {
	o := flameOutput{OutFile: shell.OutFile{Path: c.String("output"), Force: c.Bool("force")}, format: asTable}
	if c.IsSet("output") && o.Path == "" {
		return o, shell.Usage("-o out.pb.gz", "-o needs a file name")
	}
	as := c.String("as")
	switch {
	case as != "":
		o.format = formatOf("." + strings.TrimPrefix(as, "."))
		if o.Path == "" {
			o.Path = "-"
		}
	case o.Path == "-":
		return o, shell.Usage("-o - --as collapsed", "standard output needs a format: --as")
	case o.Path != "":
		o.format = formatOf(o.Path)
	}
	switch {
	case o.format != "":
		return o, nil
	case as != "":
		return o, shell.Usage("--as html", "--as is html, pprof, collapsed, speedscope or json, not %q", as)
	}
	return o, shell.Usage("--as html, pprof, collapsed, speedscope or json", "the file name %q has no known extension",
		o.Path)
}

func formatOf(name string) string {
	for _, f := range flameFormats {
		if strings.HasSuffix(strings.ToLower(name), f.end) {
			return f.format
		}
	}
	return ""
}
