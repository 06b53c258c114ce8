package jvm

import (
	"bytes"
	"strings"
)

// shortID is the number of digits of a container's id that tools show.
const shortID = 12

// containerOf reads /proc/PID/cgroup and names the container of the innermost part of a path. Runtimes name a cgroup
// after the container in one of these ways:
//
//	0::/system.slice/docker-4c01db0b339c…64 digits.scope         docker, systemd
//	12:cpu:/docker/4c01db0b339c…                                  docker, cgroupfs
//	0::/kubepods.slice/…/cri-containerd-4c01db0b339c….scope      containerd
//	0::/kubepods/burstable/pod…/4c01db0b339c…                     cgroupfs under Kubernetes
//	0::/kubepods.slice/…/crio-4c01db0b339c….scope                CRI-O
//	0::/machine.slice/libpod-4c01db0b339c….scope/container       Podman
//	0::/lxc.payload.web1/system.slice                            LXC
func containerOf(cgroup []byte) string {
	for line := range bytes.Lines(cgroup) {
		fields := strings.SplitN(strings.TrimSpace(string(line)), ":", 3)
		if len(fields) != 3 {
			continue
		}
		if name := containerOfPath(fields[2]); name != "" {
			return name
		}
	}
	return ""
}

func containerOfPath(path string) string {
	parts := strings.Split(path, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if id := containerID(parts[i]); id != "" {
			return runtimeOf(parts[:i+1]) + ":" + id[:shortID]
		}
		if name, ok := strings.CutPrefix(parts[i], "lxc.payload."); ok && name != "" {
			return "lxc:" + name
		}
		if i > 0 && parts[i-1] == "lxc" && parts[i] != "" {
			return "lxc:" + parts[i]
		}
	}
	return ""
}

// containerID is the run of 64 hexadecimal digits at the end of a cgroup's name, without the additions of systemd.
func containerID(name string) string {
	const digits = 64
	name = strings.TrimSuffix(name, ".scope")
	if len(name) < digits {
		return ""
	}
	id := name[len(name)-digits:]
	if strings.Trim(id, "0123456789abcdef") != "" {
		return ""
	}
	return id
}

// runtimeOf is the word before the id, or else the nearest folder that names a runtime or Kubernetes.
func runtimeOf(parts []string) string {
	runtimes := []struct{ sign, name string }{
		{"cri-containerd", "containerd"}, {"crio", "cri-o"}, {"libpod", "podman"},
		{"docker", "docker"}, {"containerd", "containerd"}, {"kubepods", "kubepods"},
	}
	for i := len(parts) - 1; i >= 0; i-- {
		for _, r := range runtimes {
			if strings.Contains(parts[i], r.sign) {
				return r.name
			}
		}
	}
	return "container"
}
