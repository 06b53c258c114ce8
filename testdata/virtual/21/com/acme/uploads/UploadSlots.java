package com.acme.uploads;

import com.acme.ops.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A virtual thread ended with an exception while it held a ReentrantLock; twenty uploads wait for the lock. */
public class UploadSlots {
    private final ReentrantLock slotLock = new ReentrantLock();

    void upload(String file) {
        takeSlot();
        if (file.endsWith(".exe")) {
            throw new SecurityException(file);
        }
        slotLock.unlock();
    }

    private void takeSlot() {
        slotLock.lock();
    }

    public static void main(String[] args) throws Exception {
        UploadSlots slots = new UploadSlots();
        Thread refused = Thread.ofVirtual().name("upload-0").unstarted(() -> slots.upload("setup.exe"));
        refused.setUncaughtExceptionHandler((thread, e) -> System.err.println(thread.getName() + ": " + e));
        refused.start();
        refused.join();
        List<Thread> uploads = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            String file = "photo-" + i + ".jpg";
            uploads.add(Thread.ofVirtual().name("upload-" + i).start(() -> slots.upload(file)));
        }
        Service.awaitWaiting(uploads);
        Service.run();
    }
}
