package capture

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"jstall/internal/classfile"
	"jstall/internal/kernel"
)

// classPath is where a JVM has its program's classes from.
type classPath struct {
	live *Live
	// folders and jars are places, of which jars are opened when a class is in no folder.
	folders, jars []string
	opened        []*zip.Reader
	files         []*os.File
	known         map[string]*classfile.Class
	// until is when to end, room how many bytes of jars may yet be opened.
	until time.Time
	room  int64
	// missed tells that a place or a class could not be read.
	missed bool
}

func (l *Live) classPath(text string) *classPath {
	p := &classPath{live: l, known: map[string]*classfile.Class{}, until: time.Now().Add(classPatience), room: mostJars}
	places := strings.Split(text, ":")
	if len(text) >= classPathCut {
		places, p.missed = places[:len(places)-1], true
	}
	if len(places) > mostPlaces {
		places, p.missed = places[:mostPlaces], true
	}
	for _, place := range places {
		switch path.Ext(place) {
		case ".jar", ".war":
			p.jars = append(p.jars, place)
		default:
			p.folders = append(p.folders, place)
		}
	}
	return p
}

func (p *classPath) close() {
	for _, f := range p.files {
		f.Close()
	}
}

// openJars opens those that are still to be opened.
func (p *classPath) openJars() {
	for _, name := range p.jars {
		jar, err := p.openJar(name)
		if err != nil {
			p.missed = true
			continue
		}
		p.opened = append(p.opened, jar)
	}
	p.jars = nil
}

func (p *classPath) openJar(name string) (*zip.Reader, error) {
	f, err := p.live.Kernel.OpenIn(p.live.Process.PID, name)
	if err != nil {
		return nil, err
	}
	p.files = append(p.files, f)
	stat, err := f.Stat()
	if err != nil {
		return nil, err
	}
	// A jar that claims to hold a million files takes memory for them before it is read.
	if p.room -= stat.Size(); !stat.Mode().IsRegular() || p.room < 0 {
		return nil, errors.New("no file, or too large a one")
	}
	return zip.NewReader(f, stat.Size())
}

// mainClass is the class that a program begins in: of a jar its manifest tells.
func (p *classPath) mainClass(name string) string {
	if ext := path.Ext(name); ext != ".jar" && ext != ".war" {
		return name[strings.LastIndexByte(name, '/')+1:] // of a module
	}
	main := name
	for line := range strings.Lines(string(p.file("META-INF/MANIFEST.MF"))) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if key == "Start-Class" || key == "Main-Class" && main == name { // Spring Boot's own is a launcher
			main = value
		}
	}
	return main
}

// class reads a class, nil if there is none of that name or it cannot be read.
func (p *classPath) class(name string) *classfile.Class {
	if c, known := p.known[name]; known {
		return c
	}
	c, _ := classfile.Parse(p.file(strings.ReplaceAll(name, ".", "/") + ".class"))
	p.known[name] = c
	return c
}

// inJars are the folders of a jar with classes: Spring Boot's and those of web archives too.
var inJars = [...]string{"", "BOOT-INF/classes/", "WEB-INF/classes/"}

func (p *classPath) file(name string) []byte {
	for _, folder := range p.folders {
		f, err := p.live.Kernel.OpenIn(p.live.Process.PID, path.Join(folder, name))
		if err != nil {
			continue
		}
		defer f.Close()
		if stat, err := f.Stat(); err != nil || !stat.Mode().IsRegular() {
			return nil
		}
		text, _ := kernel.ReadSome(f, mostClass)
		return text
	}
	p.openJars()
	for _, jar := range p.opened {
		for _, folder := range inJars {
			f, err := jar.Open(folder + name)
			if err != nil {
				continue
			}
			defer f.Close()
			text, _ := io.ReadAll(io.LimitReader(f, mostClass))
			return text
		}
	}
	return nil
}
