package jvm

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

func TestParseCommand(t *testing.T) {
	for _, c := range []struct {
		line    string // arguments, separated by one blank; ~ stands for a blank within
		name    string
		args    string
		options string
	}{
		{"com.acme.Main", "com.acme.Main", "", ""},
		{"-cp a.jar:b com.acme.Main -x y", "com.acme.Main", "-x y", "-cp a.jar:b"},
		{"-classpath a Main", "Main", "", "-classpath a"},
		{"--class-path a Main", "Main", "", "--class-path a"},
		{"--class-path=a Main", "Main", "", "--class-path=a"},
		{"-Xmx1g -Dx=y -XX:+UseZGC -javaagent:a.jar=b -ea:c... -agentlib:jdwp=x -verbose:gc Main 1", "Main", "1",
			"-Xmx1g -Dx=y -XX:+UseZGC -javaagent:a.jar=b -ea:c... -agentlib:jdwp=x -verbose:gc"},
		{"-jar /opt/my~app.jar -jar x", "my app.jar", "-jar x", ""},
		{"-jar -Xmx64m lib/app.jar", "app.jar", "", "-Xmx64m"},
		{"-jar app.war --port 1", "app.war", "--port 1", ""},
		{"-jar /opt/launch", "launch", "", ""},
		{"-p mods -m com.acme/com.acme.Main a", "com.acme/com.acme.Main", "a", "-p mods"},
		{"--module-path mods --module com.acme", "com.acme", "", "--module-path mods"},
		{"--module=com.acme/x.Y -z", "com.acme/x.Y", "-z", ""},
		{"--add-modules java.sql --add-opens a/b=c --add-exports=a/b=c --add-reads a=b --patch-module a=b " +
			"--limit-modules a --upgrade-module-path p --enable-native-access ALL-UNNAMED Main",
			"Main", "", "--add-modules java.sql --add-opens a/b=c --add-exports=a/b=c --add-reads a=b " +
				"--patch-module a=b --limit-modules a --upgrade-module-path p --enable-native-access ALL-UNNAMED"},
		{"--source 21 src/Hello.java x", "Hello.java", "x", "--source 21"},
		{"-version", "", "", "-version"},
		{"-cp", "", "", "-cp"},
		{"-m", "", "", ""},
		{"", "", "", ""},
	} {
		got := parseCommand(arguments(c.line))
		if got.name() != c.name || !slices.Equal(got.args, arguments(c.args)) ||
			!slices.Equal(got.options, arguments(c.options)) {
			t.Errorf("%s:\n got %q %q %q", c.line, got.name(), got.args, got.options)
		}
	}
}

func arguments(line string) []string {
	if line == "" {
		return nil
	}
	all := strings.Split(line, " ")
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "~", " ")
	}
	return all
}

func TestSplitCommand(t *testing.T) {
	for kept, want := range map[string][]string{
		"W a b":                       {"W", "a", "b"},
		"mod/pack.Cls x":              {"mod/pack.Cls", "x"},
		"/opt/my app.jar -x y":        {"my app.jar", "-x", "y"},
		"/opt/my app.jar":             {"my app.jar"},
		"lib/a.jar b.jar":             {"a.jar", "b.jar"},
		"com.acme.Run in/x.jar other": {"com.acme.Run", "in/x.jar", "other"},
		"":                            {""},
		"   ":                         {""},
	} {
		c := splitCommand(kept)
		if got := append([]string{c.name()}, c.args...); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", kept, got, want)
		}
	}
}

func TestCommandAgreesWithTheJVM(t *testing.T) {
	c := parseCommand([]string{"-cp", "x", "Main", "a b", "c"})
	long := parseCommand([]string{"Main", strings.Repeat("x", 2*maxCommand)})
	for i, got := range []bool{
		c.agrees("Main a b c", true), !c.agrees("Other a b c", true), !c.agrees("Main a b", true),
		c.agrees("jdk.compiler/launcher.Main Main a b c", true), !c.agrees("wrapper Main a b c", false),
		long.agrees(long.line()[:maxCommand], true), !long.agrees(long.line()[:maxCommand/2], true),
	} {
		if !got {
			t.Errorf("case %d is wrong", i)
		}
	}
}

func TestSplitWords(t *testing.T) {
	for _, c := range []struct {
		text    string
		argFile bool
		want    []string
	}{
		{"", false, nil},
		{" -Da=b\t-Dc=d\r\n-e ", false, []string{"-Da=b", "-Dc=d", "-e"}},
		{`-Dx='a b' "-Dy=c d"`, false, []string{"-Dx=a b", "-Dy=c d"}},
		{`'' -x`, false, []string{"", "-x"}},
		{`-Dx="it's" #no`, false, []string{"-Dx=it's", "#no"}},
		{`-Dp="C:\dir"`, false, []string{`-Dp=C:\dir`}},
		{"# all\n-cp \"a b:\\\"c\\\\\" # end\nMain#1", true, []string{"-cp", `a b:"c\`, "Main#1"}},
		{"-cp \"a:\\\n   b\"", true, []string{"-cp", "a:b"}},
		{`"\t\n\r\f\x"`, true, []string{"\t\n\r\fx"}},
		{`c:\dir`, true, []string{`c:\dir`}},
		{`"open \`, true, []string{`open \`}},
		{"#", true, nil},
	} {
		if got := splitWords(c.text, c.argFile); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// files stands for what the process's own paths lead to.
func files(texts map[string]string) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if text, ok := texts[path]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
}

func TestArgumentFiles(t *testing.T) {
	open := files(map[string]string{
		"opts": "-cp a\n-Xmx1g", "value": "b", "all": "-Dx=1 Main one", "@nested": "no",
	})
	for line, want := range map[string]string{
		"@opts Main @opts":                   "-cp a -Xmx1g Main @opts",
		"-cp @value Main":                    "-cp b Main",
		"@all two":                           "-Dx=1 Main one two",
		"@missing Main":                      "@missing Main",
		"@@opts x":                           "@opts x",
		"--disable-@files @opts Main":        "--disable-@files @opts Main",
		"-jar @value":                        "-jar b",
		"--add-modules a @opts -jar b.jar x": "--add-modules a -cp a -Xmx1g -jar b.jar x",
	} {
		if got := strings.Join(invocation{open: open}.expand(arguments(line)), " "); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

func TestFilesOfOptions(t *testing.T) {
	var p Process
	in := invocation{
		argv: []string{"java", "@gone", "-XX:Flags=flags", "Main"},
		env:  map[string]string{"JAVA_TOOL_OPTIONS": "-XX:VMOptionsFile=vm", "_JAVA_OPTIONS": "-XX:VMOptionsFile=away"},
		open: p.noting(files(map[string]string{"vm": "-Da=1", "flags": "+UseSerialGC\n# none\nMaxHeapSize=64m\n"})),
	}
	const want = "-XX:+UseSerialGC|-XX:MaxHeapSize=64m|-XX:VMOptionsFile=vm|-Da=1|" +
		"-XX:Flags=flags|-XX:VMOptionsFile=away"
	if got := strings.Join(in.jvmOptions(parseCommand(in.argv[2:]), true, 21), "|"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	in.command()
	if !slices.Equal(p.Unread, []string{"away", "gone"}) {
		t.Errorf("unread: %q", p.Unread)
	}
}

func TestOptionsInTheOrderOfTheJVM(t *testing.T) {
	in := invocation{
		argv: []string{"java", "-XX:VMOptionsFile=vm", "-Dx=4", "Main"},
		env: map[string]string{"JAVA_TOOL_OPTIONS": "-Dx=1", "JDK_JAVA_OPTIONS": "@more '-Dx=2 2'",
			"_JAVA_OPTIONS": "-Dx=5"},
		open: files(map[string]string{"vm": "-Dx=3", "more": "-Dy=1"}),
	}
	for _, c := range []struct {
		launcher bool
		major    int
		want     string
	}{
		{true, 21, "-Dx=1|-Dy=1|-Dx=2 2|-XX:VMOptionsFile=vm|-Dx=3|-Dx=4|-Dx=5"},
		{true, 0, "-Dx=1|-Dy=1|-Dx=2 2|-XX:VMOptionsFile=vm|-Dx=3|-Dx=4|-Dx=5"},
		{true, 8, "-Dx=1|-XX:VMOptionsFile=vm|-Dx=3|-Dx=4|-Dx=5"},
		{false, 21, "-Dx=1|-XX:VMOptionsFile=vm|-Dx=3|-Dx=4|-Dx=5"},
	} {
		if got := strings.Join(in.jvmOptions(in.command(), c.launcher, c.major), "|"); got != c.want {
			t.Errorf("launcher %v of %d: got %s, want %s", c.launcher, c.major, got, c.want)
		}
	}
}

func TestFlag(t *testing.T) {
	p := Process{JVMArgs: []string{"-XX:+A", "-XX:AltTempDir=/a", "-XX:-A", "-XX:AltTempDir=/b", "-XX:Al=c", "-DA"}}
	for name, want := range map[string]string{"A": "-", "AltTempDir": "/b", "Al": "c", "Alt": "none"} {
		got, ok := p.Flag(name)
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct {
		vm, platform, want string
		major              int
	}{
		{"21.0.13+9-Debian-1", "21.0.13", "21.0.13+9", 21},
		{"25.0.3+9-LTS", "25.0.3", "25.0.3+9", 25},
		{"11.0.33-ea+8-post-1-Debian", "11.0.33-ea", "11.0.33-ea+8", 11},
		{"26.0.2.1+1-1-Debian", "26.0.2.1", "26.0.2.1+1", 26},
		{"28-ea+12-400", "28-ea", "28-ea+12", 28},
		{"17-internal+0-adhoc.me.jdk", "17-internal", "17-internal+0", 17},
		{"25.504-b01", "1.8.0_504", "1.8.0_504", 8},
		{"1.8.0_412-b08", "1.8.0_412", "1.8.0_412", 8},
		{"", "11.0.2", "11.0.2", 11},
		{"21.0.1+12", "", "21.0.1+12", 21},
		{"", "", "", 0},
	} {
		got := versionOf(c.vm, c.platform)
		if got != c.want || majorOf(got) != c.major {
			t.Errorf("%q, %q: got %q of %d", c.vm, c.platform, got, majorOf(got))
		}
	}
}

func TestReleaseFile(t *testing.T) {
	for text, want := range map[string]string{
		"IMPLEMENTOR=\"x\"\nJAVA_RUNTIME_VERSION=\"25.0.3+9-LTS\"\r\nJAVA_VERSION=\"25.0.3\"\n": "25.0.3+9",
		"JAVA_VERSION=\"11.0.2\"": "11.0.2",
		"JAVA_VERSION=\"1.8.0_412\"\nJAVA_RUNTIME_VERSION=\"1.8.0_412-b08\"": "1.8.0_412",
		"": "", "=\nJAVA_RUNTIME_VERSION=\"9\"": "",
	} {
		if got := parseRelease(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	for libjvm, want := range map[string]string{
		"/opt/jdk/lib/server/libjvm.so":            "/opt/jdk/release",
		"/opt/jdk8/jre/lib/amd64/server/libjvm.so": "/opt/jdk8/release",
		"/opt/jre8/lib/aarch64/server/libjvm.so":   "/opt/jre8/release",
	} {
		if got := ReleaseFiles(libjvm); !slices.Contains(got, want) {
			t.Errorf("%s: %v lacks %s", libjvm, got, want)
		}
	}
	for _, libjvm := range []string{"", "/libjvm.so", "libjvm.so", "/a/b/libjvm.so"} {
		if got := ReleaseFiles(libjvm); len(got) > 0 {
			t.Errorf("%q: %v", libjvm, got)
		}
	}
}

func TestContainerOf(t *testing.T) {
	id := strings.Repeat("0123456789abcdef", 4)
	for path, want := range map[string]string{
		"/": "", "/user.slice/user-0.slice/session-1.scope": "", "/system.slice/docker.service": "",
		"/system.slice/docker-" + id + ".scope": "docker:0123456789ab",
		"/docker/" + id:                         "docker:0123456789ab",
		"/docker/" + id + "/init.scope":         "docker:0123456789ab",
		"/kubepods.slice/kubepods-pod1.slice/cri-containerd-" + id + ".scope":       "containerd:0123456789ab",
		"/system.slice/containerd.service/kubepods-pod1.slice:cri-containerd:" + id: "containerd:0123456789ab",
		"/kubepods/burstable/pod0fd/" + id:                                          "kubepods:0123456789ab",
		"/kubepods.slice/x.slice/crio-" + id + ".scope":                             "cri-o:0123456789ab",
		"/machine.slice/libpod-" + id + ".scope/container":                          "podman:0123456789ab",
		"/ecs/1f2e/" + id:                "container:0123456789ab",
		"/lxc.payload.web1/system.slice": "lxc:web1",
		"/lxc/web1":                      "lxc:web1", "/docker/" + id[:40]: "",
		"/docker/" + strings.Repeat("x", 64): "",
	} {
		for _, line := range []string{"0::%s\n", "12:cpu,cpuacct:/\n1:name=systemd:%s", "x\n0::%s"} {
			if got := containerOf(fmt.Appendf(nil, line, path)); got != want {
				t.Errorf("%s: got %q, want %q", path, got, want)
			}
		}
	}
}

func TestReadMaps(t *testing.T) {
	for name, c := range map[string]struct {
		maps string
		want memoryMap
	}{
		"hotspot": {
			"7f00-7f10 r--p 00000000 fe:00 1   /j/lib/server/libjvm.so\n" +
				"7f10-7f20 r-xp 00100000 fe:00 1   /j/lib/server/libjvm.so\n" +
				"7f30-7f38 rw-s 00000000 fe:00 2   /tmp/hsperfdata_me/12\n",
			memoryMap{libjvm: "/j/lib/server/libjvm.so", perfData: "/tmp/hsperfdata_me/12", perfRange: "7f30-7f38"},
		},
		"deleted, with blanks": {
			"7f10-7f20 r-xp 00100000 fe:00 1   /my jdk/lib/server/libjvm.so (deleted)\n" +
				"7f30-7f38 rw-s 0 fe:00 2 /t t/hsperfdata_a b/1 (deleted)",
			memoryMap{libjvm: "/my jdk/lib/server/libjvm.so", deleted: true, perfData: "/t t/hsperfdata_a b/1",
				perfRange: "7f30-7f38", perfGone: true},
		},
		"openj9": {
			"7f10-7f20 r-xp 0 fe:00 1 /j/lib/j9vm/libjvm.so\n7f20-7f30 r-xp 0 fe:00 1 /j/lib/default/libj9vm29.so\n",
			memoryMap{libjvm: "/j/lib/j9vm/libjvm.so", openJ9: true},
		},
		"launcher":          {"7f10-7f20 r-xp 0 fe:00 1 /j/lib/libjli.so\n", memoryMap{launcher: true}},
		"debugger reads it": {"7f10-7f20 r--p 0 fe:00 1 /j/lib/server/libjvm.so\n", memoryMap{}},
		"other of that name": {"7f10-7f20 r-xp 0 fe:00 1 /j/libjvm.so.gdb.so\n" +
			"7f10-7f20 r-xp 0 fe:00 1 /libjvm.so/x\n", memoryMap{}},
		"file in a strange place": {"7f30-7f38 rw-s 0 fe:00 2 /x/hsperfdata_a/b/c\n", memoryMap{}},
		"damaged":                 {"/libjvm.so\nx /libjvm.so\n7f r-x\n\n\x00", memoryMap{}},
	} {
		got, err := readMaps(strings.NewReader(c.maps))
		if err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

// The library's line follows those of thousands of stacks, and a line may be longer than any buffer.
func TestReadMapsOfAnySize(t *testing.T) {
	stacks := strings.Repeat("7f0000000000-7f0000100000 rw-p 00000000 00:00 0 \n", 20000)
	long := "1-2 r-xp 0 fe:00 1 /" + strings.Repeat("x", 1<<18) + "\n"
	lib := "7f10-7f20 r-xp 0 fe:00 1 /j/libjvm.so\n"
	got, err := readMaps(strings.NewReader(stacks + long + stacks + lib))
	if err != nil || got.libjvm != "/j/libjvm.so" {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := readMaps(&failing{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

type failing struct{}

func (*failing) Read([]byte) (int, error) { return 0, fs.ErrPermission }
