// Package page shows a profile as one HTML file: an icicle or flame graph drawn on a
// canvas, and a table of methods that says the same in words.
//
// The file needs nothing but itself: styles, script and data are in it, and its
// policy forbids it to load anything. It is our code rather than a library
// because those on npm draw an element per frame, filter by no labels or ask for a
// whole framework; the script is plain modern JavaScript, the files of assets joined
// as they are.
//
// Everything a profile names is hostile input. It reaches the page inside a block of
// base64 and, for the title, escaped; the script writes it as text only.
package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame"
)

// Options says how a profile is shown.
type Options struct {
	// Title is the heading; the profile's first comment if it is empty.
	Title string
	// Weight is the sample type shown first; the profile's default if it is empty
	// or the profile does not have it.
	Weight string
	// Timeline, if set, is when the values of the profile's samples arose. With it the page shows the weight over the
	// capture, and the stacks of any part of it.
	Timeline *flame.Timeline
}

//go:embed assets
var assets embed.FS

// scripts are joined in this order.
var scripts = [...]string{
	"format.js", "profile.js", "samples.js", "trees.js", "view.js", "methods.js", "paint.js", "graph.js", "tooltip.js",
	"table.js", "neighbours.js", "strip.js", "controls.js", "link.js", "main.js",
}

// Write writes the page of a profile that follows the conventions of package
// flame, or of any other profile: what it has no labels for cannot be filtered.
// A difference, with negative values for its base, is coloured by growth. An
// error is the profile's own (CheckValid) or w's.
func Write(w io.Writer, p *profile.Profile, opts Options) error {
	if p == nil {
		return errors.New("page: no profile")
	}
	if err := p.CheckValid(); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	shown := newPayload(p, opts)
	data, err := pack(shown)
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	style, script := asset("page.css"), joined()
	for part := range parts(asset("page.html")) {
		switch part {
		case "title":
			part = html.EscapeString(shown.Title)
		case "policy":
			part = policy(style, script)
		case "style":
			part = style
		case "script":
			part = script
		case "data":
			part = data
		}
		if _, err := io.WriteString(w, part); err != nil {
			return err
		}
	}
	return nil
}

// parts cuts the page at its placeholders: text, name, text, name, …, text.
func parts(page string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for rest := page; rest != ""; {
			text, after, _ := strings.Cut(rest, "{{")
			name, next, found := strings.Cut(after, "}}")
			if !yield(text) || found && !yield(name) {
				return
			}
			rest = next
		}
	}
}

// policy lets the page run its own script and style and load nothing at all.
func policy(style, script string) string {
	return "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
}

// Hashes are those of the script and the style of every page, as a policy names them.
// A page that shows one in a frame must allow both: frames without an address of
// their own inherit its policy.
func Hashes() (script, style string) { return hash(joined()), hash(asset("page.css")) }

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// pack makes of the data what no name can break out of, and less than a third of it.
func pack(data payload) (string, error) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if err := json.NewEncoder(z).Encode(data); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), nil
}

func joined() string {
	var all strings.Builder
	all.WriteString("'use strict';\n")
	for _, name := range scripts {
		all.WriteString(asset(name))
	}
	return all.String()
}

func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is embedded: a test writes every page
	}
	return string(text)
}
