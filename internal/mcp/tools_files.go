package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// list is the tool list: a line of JSON for each JVM and file.
func (s *server) list(ctx context.Context, in ListInput) (answer, error) {
	rows, unread, err := s.jstall.List(ctx)
	if err != nil && s.folder == nil {
		return answer{}, err
	}
	var b strings.Builder
	fits := func(name string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(in.Filter)) }
	shown := 0
	for _, row := range rows {
		if fits(row.MainClass) {
			shown++
			writeLine(&b, row)
		}
	}
	if err != nil {
		unread = s.jstall.Explain(err)
	}
	head := fmt.Sprintf("%d running JVMs", shown)
	if unread != "" {
		head += "; " + unread
	}
	if s.folder != nil {
		files, more := s.folder.files(s.now())
		n := 0
		for _, f := range files {
			if fits(f.Name) {
				n++
				writeLine(&b, f)
			}
		}
		head += fmt.Sprintf("; %d files", n)
		if more {
			head += fmt.Sprintf(" of the first %d", mostFiles)
		}
	}
	return answer{whole: head + "\n" + b.String(), next: "diagnose says what a JVM does: its pid is the target."}, nil
}

// writeLine writes a value as JSON, so that names in it are quoted.
func writeLine(b *strings.Builder, value any) {
	line, err := json.Marshal(value)
	if err != nil { // strings and numbers cause no error
		return
	}
	b.Write(append(line, '\n'))
}

// record is the tool record.
func (s *server) record(ctx context.Context, in RecordInput) (answer, error) {
	if s.folder == nil {
		_, err := s.folder.inside("")
		return answer{}, err
	}
	var text string
	waited, err := s.inTurn(ctx, func(ctx context.Context) (err error) {
		text, err = s.recordNow(ctx, in)
		return err
	})
	return answer{whole: text, of: look{waited: waited}, next: "All tools read the file: name it in files."}, err
}

// recordNow writes the recording if the limiter allows it.
func (s *server) recordNow(ctx context.Context, in RecordInput) (string, error) {
	process, err := s.jstall.Running(ctx, in.Target)
	if err != nil {
		return "", err
	}
	name := in.File
	if name == "" {
		name = fmt.Sprintf("jstall-%d-%s.zip", process.PID, s.now().Format("20060102-150405"))
	}
	if !strings.HasSuffix(name, ".zip") {
		return "", refused("a recording is a .zip file; %q is not named like one", name)
	}
	path, err := s.folder.unused(name)
	if err != nil {
		return "", err
	}
	if err := s.limits.check(process, s.now()); err != nil {
		return "", err
	}
	defer func() { s.limits.note(process, s.now()) }()
	return s.jstall.Record(ctx, process.PID, path, Recording{
		Taking: in.taking(), Profile: time.Duration(in.ProfileSeconds) * time.Second,
	})
}
