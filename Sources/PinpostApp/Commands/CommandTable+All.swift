extension CommandTable {
    /// The verbs in the order in which help lists them.
    static let all = CommandTable(commands: [
        .tenantAdd, .tenantList, .tenantShow, .tenantSet, .tenantCheck, .tenantRemove,
        .addressAdd, .addressList, .addressShow, .addressSet, .addressRotate, .addressRemove,
        .hookAdd, .hookList, .hookShow, .hookSet, .hookRotate, .hookRemove, .hookVerify, .hookMapTest,
        .mailboxAdd, .mailboxList, .mailboxShow, .mailboxSet, .mailboxTest, .mailboxProbe, .mailboxPollNow,
        .mailboxAuthorize, .mailboxRemove,
        .boardList, .pinList, .pinSend,
        .messageList, .messageShow, .messageReplay,
        .quarantineList, .quarantineShow, .quarantineRelease, .quarantineRemove,
        .itemList, .itemShow, .itemRetry, .itemCancel, .itemPictures, .itemRepin,
        .ingestMail, .explain, .convert,
        .serve, .egressCheck, .keysStatus, .configCheck, .version,
    ])
}

/// Every action that may come over the admin socket.
enum AdminActions {
    static let all: [any AdminAction.Type] = [
        AddTenant.self, ListTenants.self, ShowTenant.self, SetTenant.self, CheckTenant.self, RemoveTenant.self,
        AddAddress.self, ListAddresses.self, ShowAddress.self, SetAddress.self, RotateAddress.self, RemoveAddress.self,
        AddHook.self, ListHooks.self, ShowHook.self, HookSettingsOf.self, SetHook.self, RotateHook.self,
        RemoveHook.self,
        AddMailbox.self, ListMailboxes.self, ShowMailbox.self, MailboxSettingsOf.self, SetMailbox.self,
        TestMailbox.self,
        ProbeMailbox.self, PollMailbox.self, RemoveMailbox.self,
        RedeemCode.self, BeginDevice.self, RedeemDevice.self,
        ListBoards.self, ListPins.self, SendPin.self,
        ListMessages.self, ShowMessage.self, ReadSource.self, ReplayMessage.self,
        ListHeldMails.self, ShowHeldMail.self, ReleaseHeldMail.self, RemoveHeldMail.self,
        ListItems.self, ShowItem.self, RetryItem.self, CancelItem.self,
        ListPictures.self, RepinItem.self,
        IngestMail.self,
        ShowKeys.self,
    ]
}
